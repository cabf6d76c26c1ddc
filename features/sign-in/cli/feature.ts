import type { CliFeature } from '#cli/commands/feature.ts';
import { addLogin, addLogout } from './login.ts';

export const signIn: CliFeature = {
  id: 'sign-in',
  commands: [
    { place: 156, add: addLogin },
    { place: 158, add: addLogout },
  ],
};
