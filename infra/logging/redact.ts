const CENSORED = '[redacted]';
const SECRET_NAMES = ['authorization', 'cookie', 'set-cookie', 'password', 'token', 'refreshToken', 'secret'];

/** At the top of a record and one or two levels below it. */
export const redaction = {
  paths: SECRET_NAMES.flatMap((name) => {
    const key = `["${name}"]`;
    return [key, `*${key}`, `*.*${key}`];
  }),
  censor: CENSORED,
};

const TOKEN_IN_URL = /([?&](?:token|access_token|password)=)[^&\s"'#]+/gi;
const BEARER = /\b(Bearer|Basic)\s+[\w.~+/=-]+/gi;
const API_TOKEN = /\b(fl[tdr]_)\w+/g;

/** A text without the credentials that may stand in it: `?token=` of a URL, authorization headers, API tokens. */
export const withoutSecrets = (text: string): string =>
  text.replace(TOKEN_IN_URL, `$1${CENSORED}`).replace(BEARER, `$1 ${CENSORED}`).replace(API_TOKEN, `$1${CENSORED}`);
