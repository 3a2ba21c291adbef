/**
 * Whose endpoints are known, as data: adding a provider is adding a line here.
 *
 * @module
 */
import type { StepType } from "../step/mod.ts";

/** Requests of one provider that are of one type. */
export interface EndpointRule {
  /** A short name in lower case, as reports show it. */
  readonly provider: string;
  /** Host, with `:port` where it matters; a star stands for any characters. Exact hosts are found fastest. */
  readonly hosts: readonly string[];
  /** Paths, without query; `*` stands for one segment or a part of it, `**` for anything. */
  readonly paths: readonly string[];
  /** Upper case. */
  readonly methods: readonly string[];
  /** What such a step is. */
  readonly type: StepType;
  /** Served if asked for, never counted in the divergence set. */
  readonly optional: boolean;
  /** A header, in lower case, that must be there too. */
  readonly header?: string;
  /** Where this is documented, or why it is so. */
  readonly why: string;
}

const post = ["POST"] as const;
const read = ["GET", "HEAD"] as const;
const openaiPaths = [
  "**/chat/completions",
  "**/completions",
  "**/responses",
  "**/embeddings",
  "**/moderations",
  "**/images/generations",
  "**/images/edits",
  "**/audio/*",
] as const;

function llm(provider: string, hosts: readonly string[], paths: readonly string[], why: string): EndpointRule {
  return { provider, hosts, paths, methods: post, type: "LLM", optional: false, why };
}

function registry(
  provider: string,
  hosts: readonly string[],
  why: string,
  paths: readonly string[] = ["**"],
): EndpointRule {
  return { provider, hosts, paths, methods: read, type: "SYSTEM", optional: true, why };
}

/** Models. */
const models: readonly EndpointRule[] = [
  llm(
    "openai",
    ["api.openai.com", "*.api.openai.com"],
    openaiPaths,
    "platform.openai.com/docs/api-reference; data residency hosts",
  ),
  {
    provider: "openai",
    hosts: ["api.openai.com", "*.api.openai.com"],
    paths: ["/v1/realtime"],
    methods: ["GET"],
    type: "LLM",
    optional: false,
    header: "upgrade",
    why: "the Realtime API over WebSocket",
  },
  llm(
    "azure-openai",
    ["*.openai.azure.com", "*.cognitiveservices.azure.com", "*.services.ai.azure.com"],
    [...openaiPaths.map((path) => path.replace("**", "/openai/**")), "/models/chat/completions", "/models/embeddings"],
    "learn.microsoft.com/azure/ai-services/openai/reference: /openai/deployments/{name}/… and /openai/v1/…",
  ),
  llm("azure-openai", ["*.services.ai.azure.com"], ["/anthropic/v1/messages"], "Claude in Azure AI Foundry"),
  llm(
    "github-models",
    ["models.inference.ai.azure.com", "models.github.ai"],
    openaiPaths,
    "docs.github.com/rest/models/inference",
  ),
  llm(
    "anthropic",
    ["api.anthropic.com"],
    ["/v1/messages", "/v1/messages/count_tokens", "/v1/messages/batches", "/v1/complete"],
    "docs.anthropic.com/en/api",
  ),
  llm(
    "gemini",
    ["generativelanguage.googleapis.com"],
    ["/v1*/models/*:*", "/v1*/tunedModels/*:*", ...openaiPaths.map((path) => path.replace("**", "/v1*/openai"))],
    "ai.google.dev/api: generateContent, streamGenerateContent, embedContent, countTokens",
  ),
  llm(
    "vertex",
    ["aiplatform.googleapis.com", "*-aiplatform.googleapis.com"],
    ["/v1*/**/models/*:*", "/v1*/**/endpoints/*:*", "/v1*/**/endpoints/*/chat/completions"],
    "cloud.google.com/vertex-ai/docs/reference/rest: generateContent, rawPredict, predict",
  ),
  llm(
    "bedrock",
    ["bedrock-runtime.*.amazonaws.com", "bedrock-runtime-fips.*.amazonaws.com"],
    [
      "/model/*/invoke",
      "/model/*/invoke-with-response-stream",
      "/model/*/converse",
      "/model/*/converse-stream",
      ...openaiPaths,
    ],
    "docs.aws.amazon.com/bedrock/latest/APIReference; the model's name is one segment, percent-encoded",
  ),
  llm(
    "mistral",
    ["api.mistral.ai", "codestral.mistral.ai"],
    [...openaiPaths, "/v1/fim/completions", "/v1/agents/completions", "/v1/conversations", "/v1/ocr"],
    "docs.mistral.ai/api",
  ),
  llm(
    "cohere",
    ["api.cohere.com", "api.cohere.ai"],
    ["/v1/chat", "/v2/chat", "/v1/generate", "/v*/embed", "/v*/rerank", "/v1/classify", "/compatibility/**"],
    "docs.cohere.com/reference",
  ),
  llm("groq", ["api.groq.com"], openaiPaths, "console.groq.com/docs/api-reference: below /openai/v1"),
  llm("openrouter", ["openrouter.ai"], [...openaiPaths, "/api/v1/messages"], "openrouter.ai/docs: below /api/v1"),
  llm(
    "deepseek",
    ["api.deepseek.com"],
    [...openaiPaths, "/anthropic/v1/messages"],
    "api-docs.deepseek.com: with and without /v1",
  ),
  llm("xai", ["api.x.ai"], [...openaiPaths, "/v1/messages"], "docs.x.ai/docs/api-reference"),
  llm("together", ["api.together.xyz", "api.together.ai"], openaiPaths, "docs.together.ai/reference"),
  llm("fireworks", ["api.fireworks.ai"], openaiPaths, "docs.fireworks.ai/api-reference: below /inference/v1"),
  llm("perplexity", ["api.perplexity.ai"], openaiPaths, "docs.perplexity.ai/api-reference: without /v1"),
  llm("cerebras", ["api.cerebras.ai"], openaiPaths, "inference-docs.cerebras.ai/api-reference"),
  llm("nvidia", ["integrate.api.nvidia.com"], openaiPaths, "docs.api.nvidia.com/nim/reference"),
  llm(
    "huggingface",
    ["router.huggingface.co"],
    ["/**"],
    "huggingface.co/docs/inference-providers: every POST is inference",
  ),
  llm(
    "replicate",
    ["api.replicate.com"],
    ["/v1/predictions", "/v1/models/*/*/predictions"],
    "replicate.com/docs/reference/http",
  ),
  llm(
    "ollama",
    ["*:11434", "ollama.com"],
    ["/api/chat", "/api/generate", "/api/embed", "/api/embeddings", ...openaiPaths, "/v1/messages"],
    "github.com/ollama/ollama/blob/main/docs/api.md: port 11434; on other ports its paths are too common to be known by",
  ),
  {
    ...llm(
      "anthropic-compatible",
      ["*"],
      ["**/v1/messages"],
      "gateways that speak Anthropic's protocol; the path alone is too common",
    ),
    header: "anthropic-version",
  },
  llm(
    "openai-compatible",
    ["*"],
    ["**/v1/chat/completions", "**/v1/completions", "**/v1/embeddings"],
    "LiteLLM, vLLM, llama.cpp, LM Studio and gateways: OpenAI's paths on any host",
  ),
];

/** What package managers and runtimes ask on their own: it comes or not, depending on caches. */
const registries: readonly EndpointRule[] = [
  registry(
    "npm",
    ["registry.npmjs.org", "registry.yarnpkg.com", "registry.npmmirror.com"],
    "npm, yarn, pnpm; update-notifier asks here too",
  ),
  {
    ...registry("npm", ["registry.npmjs.org"], "npm install audits what it installs", ["/-/npm/v1/security/**"]),
    methods: post,
  },
  registry("jsr", ["jsr.io", "npm.jsr.io"], "jsr.io/docs/api"),
  registry("deno", ["dl.deno.land"], "deno's version check and its downloads: /release-latest.txt"),
  registry("deno", ["deno.land"], "the version check of older versions; modules", [
    "/release-latest.txt",
    "/x/**",
    "/std**",
  ]),
  registry("deno", ["esm.sh"], "modules by URL"),
  registry("node", ["nodejs.org"], "node-gyp, corepack, version managers", ["/dist/**", "/download/release/**"]),
  registry("pypi", ["pypi.org"], "pip, uv, poetry; pip's check for its own version", ["/simple/**", "/pypi/**"]),
  registry("pypi", ["files.pythonhosted.org"], "the files of PyPI"),
  registry("conda", ["conda.anaconda.org", "repo.anaconda.com"], "conda, mamba"),
  registry("crates", ["index.crates.io", "static.crates.io"], "cargo's sparse index and downloads"),
  registry("crates", ["crates.io"], "cargo's older download address", ["/api/v1/crates/**"]),
  registry("rust", ["static.rust-lang.org"], "rustup"),
  registry("go", ["proxy.golang.org", "sum.golang.org"], "go.dev/ref/mod#module-proxy"),
  registry("go", ["go.dev"], "toolchain downloads", ["/dl/**"]),
  registry("maven", ["repo.maven.apache.org", "repo1.maven.org", "maven.google.com"], "Maven Central and Google's"),
  registry(
    "gradle",
    ["plugins.gradle.org", "services.gradle.org", "downloads.gradle.org"],
    "plugins, the wrapper's version check",
  ),
  registry("rubygems", ["rubygems.org", "index.rubygems.org"], "gem, bundler", [
    "/gems/**",
    "/info/**",
    "/versions",
    "/specs**",
    "/api/v1/**",
  ]),
  registry("nuget", ["api.nuget.org"], "dotnet restore"),
  registry("packagist", ["repo.packagist.org"], "composer"),
  registry("homebrew", ["formulae.brew.sh"], "brew update"),
  registry("apt", ["deb.debian.org", "security.debian.org", "archive.ubuntu.com", "security.ubuntu.com"], "apt update"),
  registry("apk", ["dl-cdn.alpinelinux.org"], "apk update"),
  registry(
    "github",
    ["api.github.com"],
    "tools that ask for their own newest version; other repositories may be the agent's business",
    [
      "denoland/deno",
      "oven-sh/bun",
      "astral-sh/uv",
      "astral-sh/ruff",
      "python-poetry/poetry",
      "pdm-project/pdm",
      "cli/cli",
      "pnpm/pnpm",
      "volta-cli/volta",
      "jdx/mise",
      "ollama/ollama",
      "golangci/golangci-lint",
    ].map((repository) => `/repos/${repository}/releases/latest`),
  ),
];

/** All rules; the first that fits decides, exact hosts before patterns. */
export const endpointRules: readonly EndpointRule[] = [...models, ...registries];
