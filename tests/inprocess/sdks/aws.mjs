// deno-lint-ignore-file no-import-prefix -- the SDKs of this one program
import { GetObjectCommand, PutObjectCommand, S3Client } from "npm:@aws-sdk/client-s3@3.1169.0";
import { GetCallerIdentityCommand, STSClient } from "npm:@aws-sdk/client-sts@3.1169.0";
import { run } from "./run.mjs";

await run(async (url) => {
  const credentials = { accessKeyId: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "dummy" };
  const options = { region: "us-east-1", endpoint: url, credentials };
  const s3 = new S3Client({ ...options, forcePathStyle: true });
  const { ETag: tag } = await s3.send(new PutObjectCommand({ Bucket: "b", Key: "k", Body: "an object" }));
  const { Body: body } = await s3.send(new GetObjectCommand({ Bucket: "b", Key: "k" }));
  const text = await body.transformToString();
  const { Account: account } = await new STSClient(options).send(new GetCallerIdentityCommand({}));
  return { tag, text, account };
});
