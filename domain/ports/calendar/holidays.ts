export interface Region {
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** The part of an ISO 3166-2 code after the country (`BY` of `DE-BY`). */
  readonly state?: string;
}

export interface Holiday {
  /** Its days on which most of the working hours are free (`2026-12-25`). */
  readonly dates: readonly string[];
  /** In a language of the region. */
  readonly name: string;
  readonly type: 'public' | 'bank' | 'school' | 'optional' | 'observance';
  /** It stands for one that falls on a day without work. */
  readonly substitute: boolean;
}

/** What days people do not work on. */
export interface Holidays {
  /** Those that begin in the year, by date; none for a region or a year that nothing is known of. */
  of(region: Region, year: number): Promise<readonly Holiday[]>;
}
