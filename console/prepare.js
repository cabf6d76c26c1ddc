// Plain JavaScript: without the packages of developers an older Node may run it, which cannot read types.
const isDeveloped = () => {
  try {
    return import.meta.resolve('vite') !== '';
  } catch {
    return false;
  }
};

if (isDeveloped()) {
  const { buildWhenStale } = await import('./build.ts');
  await buildWhenStale();
}
