/** What both agents of an upstream keep to. */
export const agentOptions = {
  keepAlive: true,
  // Deno's client would otherwise read proxies from the environment by itself where NODE_USE_ENV_PROXY is set. Node's types
  // do not know the option yet.
  proxyEnv: {},
};
