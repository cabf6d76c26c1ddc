import { feature } from '#features/feature.ts';
import { changeEndpoints } from './http/endpoints.ts';
import { holidayGenerator } from './http/holidays.ts';
import { openHolidays } from './stores/open-holidays.ts';
import { assessTool, plannedTool } from './use-cases/assess-tool.ts';
import { reported } from './use-cases/reported-changes.ts';

export const changeRisk = feature({
  id: 'change-risk',
  uses: ['ai', 'reports', 'questions'],
  contributes: { reports: reported, questionTools: [assessTool, plannedTool] },
  endpoints: [...changeEndpoints, holidayGenerator],
  provide: async () => ({ ports: { holidays: openHolidays() } }),
});
