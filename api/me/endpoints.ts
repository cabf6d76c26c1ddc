import { showMe } from './me.ts';
import { settingsOfMe } from './settings.ts';
import { viewEndpoints } from './views.ts';

export const meEndpoints = [showMe, ...settingsOfMe, ...viewEndpoints];
