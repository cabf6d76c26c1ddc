/** Set by us, or about one connection (RFC 9110, 7.6.1). */
const OWN =
  /^(host|expect|connection|keep-alive|te|trailer|transfer-encoding|upgrade|proxy-[!-~]*|content-[!-~]*|webhook-[!-~]*)$/i;

/** True if a registration may not set this header. */
export const isOurHeader = (name: string): boolean => OWN.test(name);
