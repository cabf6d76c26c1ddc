import { feature } from '#features/feature.ts';
import { changeEndpoints } from './http/endpoints.ts';
import { holidayGenerator } from './http/holidays.ts';
import { openHolidays } from './stores/open-holidays.ts';

export const changeRisk = feature({
  id: 'change-risk',
  uses: ['ai'],
  endpoints: [...changeEndpoints, holidayGenerator],
  provide: async () => ({ ports: { holidays: openHolidays() } }),
});
