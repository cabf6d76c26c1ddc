import type { ConsoleFeature } from '#console/slots/feature.ts';

export const ai: ConsoleFeature = {
  id: 'ai',
  pages: [{ path: '/admin/ai', needs: 'settings.read', load: () => import('./ai-page.tsx'), component: 'AiPage' }],
  places: [{ to: '/admin/ai', words: 'Runbooks', also: 'procedures', needs: 'settings.read' }],
  adminPages: [{ place: 35, to: '/admin/ai', words: 'AI', also: 'settings model assistant', needs: 'settings.read' }],
};
