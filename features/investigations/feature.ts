import { feature } from '#features/feature.ts';
import { investigateGroup } from './http/investigate.ts';
import { investigationTools } from './http/tools.ts';

export const investigations = feature({
  id: 'investigations',
  uses: ['ai'],
  endpoints: [investigateGroup],
  contributes: { tools: investigationTools },
});
