// The service that both ends speak of. Messages are bytes as they are: what is tried is the transport.
const bytes = (value) => value;
const method = (path, responseStream) => ({
  path,
  requestStream: false,
  responseStream,
  requestSerialize: bytes,
  requestDeserialize: bytes,
  responseSerialize: bytes,
  responseDeserialize: bytes,
});

export const service = {
  echo: method("/compat.Words/Echo", false),
  count: method("/compat.Words/Count", true),
  fail: method("/compat.Words/Fail", false),
};
