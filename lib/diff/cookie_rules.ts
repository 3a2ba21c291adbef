/**
 * Cookies whose value is drawn anew for each visitor, as data. A cookie that only one run has is `removed` all the same.
 *
 * @module
 */

/** One line: cookies of a kind. */
export interface CookieRule {
  /** In their own case; a star stands for any characters. */
  readonly names: readonly string[];
  readonly why: string;
  /** Who sets them. */
  readonly source: string;
}

/** All lines. */
export const cookieRules: readonly CookieRule[] = [
  {
    names: ["__cf_bm", "_cfuvid", "__cfruid", "__cflb", "cf_clearance", "__cfseq-*"],
    why: "names one visitor at the edge",
    source: "Cloudflare",
  },
  {
    names: ["_abck", "ak_bmsc", "bm_s*", "bm_mi", "AKA_*"],
    why: "names one visitor at the edge",
    source: "Akamai",
  },
  {
    names: ["visid_incap_*", "incap_ses_*", "nlbi_*", "reese84", "datadome", "_px*"],
    why: "names one visitor at the edge",
    source: "Imperva, DataDome, HUMAN",
  },
  {
    names: ["AWSALB", "AWSALBCORS", "AWSALBTG", "AWSALBTGCORS", "AWSELB", "AWSELBCORS", "aws-waf-token"],
    why: "which of many equal machines answered",
    source: "AWS",
  },
  {
    names: ["ARRAffinity", "ARRAffinitySameSite", "ApplicationGatewayAffinity*", "TiPMix", "x-ms-routing-name"],
    why: "which of many equal machines answered",
    source: "Azure",
  },
  {
    names: ["GCLB", "GAESA", "SERVERID", "ROUTEID", "BIGipServer*", "TS01*", "route"],
    why: "which of many equal machines answered",
    source: "Google Cloud, HAProxy, F5, nginx ingress",
  },
  {
    names: ["NID", "AEC", "1P_JAR", "SOCS", "__Secure-ENID", "__Secure-BUCKET", "SIDCC", "__Secure-*PSIDCC"],
    why: "names one visitor",
    source: "Google",
  },
  { names: ["_gh_sess", "_octo"], why: "names one visitor", source: "GitHub" },
  {
    names: ["MUID", "MUIDB", "MC1", "MS0", "esctx*", "fpc", "x-ms-gateway-slice", "buid"],
    why: "names one visitor",
    source: "Microsoft",
  },
  {
    names: ["_ga", "_ga_*", "_gid", "_fbp", "ajs_anonymous_id", "amplitude_*", "mp_*", "optimizelyEndUserId", "_uid"],
    why: "names one visitor, for statistics",
    source: "Google Analytics, Meta, Segment, Amplitude, Mixpanel, Optimizely",
  },
  {
    names: [
      "session",
      "sessionid",
      "session_id",
      "_session",
      "_session_id",
      "*_session",
      "sid",
      "connect.sid",
      "PHPSESSID",
      "JSESSIONID",
      "ASP.NET_SessionId",
      ".AspNetCore.Session",
      ".AspNetCore.Antiforgery.*",
      "CFID",
      "CFTOKEN",
      "rack.session",
      "laravel_session",
      "frontend",
    ],
    why: "names one session",
    source: "Express, PHP, Java, ASP.NET, Rails, Laravel, Flask, Django",
  },
  {
    names: ["csrftoken", "csrf_token", "_csrf", "XSRF-TOKEN", "*csrf*"],
    why: "a token against forged requests, drawn anew",
    source: "Django, Laravel, Angular, Express",
  },
];
