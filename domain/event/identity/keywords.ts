/** Words of a title that say what is wrong (docs/specification.md §1). Lower case, compared as whole words. */
const KEYWORDS: ReadonlySet<string> = new Set(
  `down unreachable unavailable offline timeout timedout refused reset closed lost missing full exhausted exceeded oom
   killed crash crashed crashing crashloopbackoff failed failure failing fail error errors exception panic denied forbidden
   unauthorized expired expiring expires invalid degraded flapping deadlock latency slow saturated throttled overload
   overloaded high low stuck hung blocked backlog lag corrupt corrupted stopped restarted rebooted unhealthy unstable
   unresponsive disconnected dropped loss leak critical mismatch overheating disk memory cpu swap load certificate dns
   replication backup power fan temperature link interface bgp raid quota inode`
    .split(/\s+/)
    .filter((word) => word !== ''),
);

const WORD = /[a-z]+/g;

/** Keywords of a lower-case text, sorted, without repeats. */
export const keywordsOf = (text: string): readonly string[] => {
  const found = new Set<string>();
  for (const word of text.match(WORD) ?? []) if (KEYWORDS.has(word)) found.add(word);
  return [...found].sort();
};
