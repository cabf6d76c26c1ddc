const SECRET = '[secret]';

/** Secrets by their form. Every pattern is linear: repetitions are bounded or cannot begin again. */
const FORMS: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]{1,40}-----[\s\S]{0,4096}?(?:-----END [A-Z ]{1,40}-----|$)/g, SECRET],
  [/\beyJ[\w-]{8,1024}\.[\w-]{8,2048}\.[\w-]{0,1024}/g, SECRET],
  [/\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g, SECRET],
  [/\bAIza[\w-]{30,40}/g, SECRET],
  [/\b(?:sk|pk|rk|xox[abposr]|ghp|gho|ghs|ghu|github_pat|glpat|flt|fld|whsec|npm|hf|dop_v1)[-_][\w-]{12,256}/g, SECRET],
  [/:\/\/[^\s:@/]{1,128}:[^\s@/]{1,256}@/g, `://${SECRET}@`],
  [/\b(bearer|basic)\s{1,4}[\w.~+/=-]{8,1024}/gi, `$1 ${SECRET}`],
  [
    /((?:password|passwd|pwd|passphrase|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|credentials?|authorization)["']?\s{0,2}[:=]\s{0,2})(?:"[^"]{1,256}"|'[^']{1,256}'|[^\s,;"']{1,256})/gi,
    `$1${SECRET}`,
  ],
  [/\b(password|passwd|passphrase|pwd)\s{1,2}(?:is\s{1,2})[^\s,;]{1,128}/gi, `$1 ${SECRET}`],
  [/[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/g, '[mail]'],
];

/** A long run of mixed characters is a key, unless it is an id of ours. */
const RUN = /[A-Za-z0-9+/_=-]{32,1024}/g;
const isKey = (run: string): boolean => {
  const kinds = [/[a-z]/, /[A-Z]/, /\d/].filter((kind) => kind.test(run)).length;
  return kinds === 3 || /^[0-9a-fA-F]{40,}$/.test(run);
};

/** The text without keys, tokens, passwords and mail addresses. */
export const redacted = (text: string): string => {
  const known = FORMS.reduce((rest, [form, instead]) => rest.replace(form, instead), text);
  return known.replace(RUN, (run) => (isKey(run) ? SECRET : run));
};
