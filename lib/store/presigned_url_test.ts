import { equal } from "node:assert/strict";
import { presignedUrl } from "./presigned_url.ts";

Deno.test("presignedUrl() gives the signature of AWS's own example", () => {
  // "Authenticating Requests: Using Query Parameters", the worked example of the S3 API reference.
  const url = presignedUrl({
    url: new URL("https://examplebucket.s3.amazonaws.com/test.txt"),
    region: "us-east-1",
    accessKeyId: "AKIAIOSFODNN7EXAMPLE",
    secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    expiresSeconds: 86400,
    now: new Date("2013-05-24T00:00:00Z"),
  });
  equal(
    new URL(url).searchParams.get("X-Amz-Signature"),
    "aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404",
  );
});
