/** With the three places that shares and scores are told with. */
export const rounded = (value: number): number => Math.round(value * 1_000) / 1_000;

/** Of one, in whole percent. */
export const percent = (share: number): string => `${Math.round(share * 100)} %`;
