import { feature } from '#features/feature.ts';
import { chatEndpoints } from './http/endpoints.ts';

export const questions = feature({
  id: 'questions',
  uses: ['ai', 'services'],
  endpoints: chatEndpoints,
});
