/** A previous version is supported for 12 months (docs/specification.md §16). */
const SUPPORTED_MONTHS = 12;

/** Headers of a mount that is being retired: those of docs/specification.md §16 and the standard ones (RFC 9745, RFC 8594). `date` is ISO 8601. */
export function deprecationHeaders(deprecated: {
  readonly date: string;
  readonly info: string;
}): Record<string, string> {
  const sunset = new Date(deprecated.date);
  const since = Math.floor(sunset.getTime() / 1000);
  sunset.setUTCMonth(sunset.getUTCMonth() + SUPPORTED_MONTHS);
  return {
    'X-API-Deprecation-Date': deprecated.date,
    'X-API-Deprecation-Info': deprecated.info,
    Deprecation: `@${since}`,
    Sunset: sunset.toUTCString(),
  };
}
