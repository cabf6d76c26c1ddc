/** Limit of one delivery. */
export const MAX_RECIPIENTS = 50;
/** A category that a caller makes up. */
export const CATEGORY = /^[\p{L}\p{N} _./-]{1,64}$/u;
