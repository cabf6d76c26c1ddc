/** Of one delivery. */
export const MOST_RECIPIENTS = 50;
/** A category that a caller makes up. */
export const CATEGORY = /^[\p{L}\p{N} _./-]{1,64}$/u;
