/** How something of Faultline itself is. */
export type MarkKind = 'good' | 'bad' | 'caution' | 'quiet';
