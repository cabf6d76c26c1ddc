/** State of a part of Faultline itself. */
export type MarkKind = 'good' | 'bad' | 'caution' | 'quiet';
