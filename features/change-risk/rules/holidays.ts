export interface Region {
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** The part of an ISO 3166-2 code after the country (`BY` of `DE-BY`). */
  readonly state?: string;
  /** A part of the state, by a code of the calendar (`A` for Augsburg). */
  readonly region?: string;
}

export interface Holiday {
  /** The day on which it begins, which may be free for an hour only (`2026-12-24`). */
  readonly begins: string;
  /** Its days on which most of the working hours are free (`2026-12-25`). */
  readonly dates: readonly string[];
  /** English name if known, else a name in a language of the region. */
  readonly name: string;
  readonly type: 'public' | 'bank' | 'school' | 'optional' | 'observance';
  /** It stands for one that falls on a day without work. */
  readonly substitute: boolean;
  /** Its rule begins with a month and day. */
  readonly isFixed: boolean;
  /** True for a lunar calendar by observation or computation: the date may be off by a day. */
  readonly isApproximate: boolean;
}

/** Days without work. */
export interface Holidays {
  /** Returns holidays with a day in the year, by date; empty for a region or a year without data. */
  of(region: Region, year: number): Promise<readonly Holiday[]>;
  /** States and regions with holidays of their own; null when nothing is known of the country. */
  regionsOf(country: string): Promise<readonly Region[] | null>;
}

declare module '#domain/ports/ports.ts' {
  interface Ports {
    readonly holidays: Holidays;
  }
}
