import { feature } from '#features/feature.ts';
import { investigateGroup } from './http/investigate.ts';
import { investigateTool } from './use-cases/investigate-tool.ts';

export const investigations = feature({
  id: 'investigations',
  uses: ['ai', 'questions'],
  endpoints: [investigateGroup],
  contributes: { questionTools: [investigateTool] },
});
