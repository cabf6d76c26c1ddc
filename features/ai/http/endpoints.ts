import { analyze } from './analyze.ts';
import { holidayGenerator } from './holidays.ts';
import { insights } from './insights.ts';
import { monitorAi } from './monitoring.ts';
import { searchSemantic } from './search.ts';
import { aiSettingsEndpoints } from './settings-endpoints.ts';

export const aiEndpoints = [analyze, insights, monitorAi, holidayGenerator, searchSemantic, ...aiSettingsEndpoints];
