/** Maximum number of recipients of a delivery. */
export const MAX_RECIPIENTS = 50;
/** Category chosen by the caller. */
export const CATEGORY = /^[\p{L}\p{N} _./-]{1,64}$/u;
