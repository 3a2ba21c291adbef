import { deepEqual, throws } from "node:assert/strict";
import { remoteSettings } from "./remote_settings.ts";

Deno.test("remoteSettings() reads a server of one's own, with a region that any takes", () => {
  const env = { AGREPL_S3_ENDPOINT: "http://127.0.0.1:9000", AGREPL_S3_BUCKET: "team", AGREPL_S3_PREFIX: "/a/b/" };
  deepEqual(remoteSettings(env), {
    bucket: "team",
    prefix: "a/b/",
    endpoint: "http://127.0.0.1:9000",
    region: "us-east-1",
  });
});

Deno.test("remoteSettings() reads R2 by its own names", () => {
  const env = {
    AGREPL_R2_ACCOUNT_ID: "abc123",
    AGREPL_R2_BUCKET: "traces",
    AGREPL_R2_ACCESS_KEY_ID: "id",
    AGREPL_R2_SECRET_ACCESS_KEY: "secret",
  };
  deepEqual(remoteSettings(env), {
    bucket: "traces",
    prefix: "",
    endpoint: "https://abc123.r2.cloudflarestorage.com",
    region: "auto",
    credentials: { accessKeyId: "id", secretAccessKey: "secret" },
  });
});

Deno.test("remoteSettings() leaves AWS to the SDK's own chain", () => {
  deepEqual(remoteSettings({ AGREPL_S3_BUCKET: "team", AWS_REGION: "eu-west-1" }), { bucket: "team", prefix: "" });
});

Deno.test("remoteSettings() refuses what names no place", () => {
  const bucket = { AGREPL_S3_BUCKET: "team" };
  throws(() => remoteSettings({}), /AGREPL_S3_BUCKET \(or AGREPL_R2_BUCKET\) is not set/);
  throws(() => remoteSettings({ AGREPL_S3_BUCKET: "a/b" }), TypeError);
  throws(() => remoteSettings({ ...bucket, AGREPL_S3_ENDPOINT: "s3.example.com" }), /expected a URL/);
  throws(() => remoteSettings({ ...bucket, AGREPL_S3_PREFIX: "a/../b" }), /as a prefix/);
  throws(() => remoteSettings({ ...bucket, AGREPL_R2_ACCOUNT_ID: "x.evil.com/" }), TypeError);
});
