import type { ProjectResources } from '#common/model/resources.ts';
import { NO_RESOURCES } from '#common/model/resources.ts';
import { type TagDefinition, tagDefinition, type TagValue, tagMatches } from '#common/model/tag.ts';
import { NO_TAGS } from '../tags/no-tags.ts';
import type { TagListener, Tags } from '../tags/contract.ts';

/** Tags whose samples come from a test. */
export interface FakeTags extends Tags {
  readonly watches: number;
  sample(path: string, value: unknown, time: number | null, quality?: TagValue['quality']): void;
}

export function fakeTags(): FakeTags {
  const watches = new Set<{ project: string; patterns: readonly string[]; listener: TagListener }>();
  const present = new Map<string, TagValue>();
  const fits = (patterns: readonly string[], path: string) => patterns.some((pattern) => tagMatches(pattern, path));
  return {
    ...NO_TAGS,
    get watches() {
      return watches.size;
    },
    watch(project, patterns, listener) {
      const watch = { project, patterns, listener };
      watches.add(watch);
      for (const [path, value] of present) if (fits(patterns, path)) listener(value);
      return () => void watches.delete(watch);
    },
    sample(path, value, time, quality = 'good') {
      const reason = quality === 'good' ? null : 'as the test says';
      const iso = time === null ? null : new Date(time).toISOString();
      const tagValue: TagValue = {
        path,
        value: quality === 'bad' ? null : value,
        quality,
        reason,
        time: iso,
        unit: '',
      };
      present.set(path, tagValue);
      for (const { patterns, listener } of watches) if (fits(patterns, path)) listener(tagValue);
    },
  };
}

type TagInput = Partial<Omit<TagDefinition, 'history'>> & { path: string; history?: object | null };

/** A recorded number tag in memory, with the changes of the test. */
export function recordedTag(input: TagInput): TagDefinition {
  return tagDefinition.parse({ type: 'number', source: { provider: 'memory' }, history: {}, ...input });
}

export function resourcesOf(project: string, tags: readonly TagInput[]): ProjectResources {
  return { ...NO_RESOURCES(project), tags: tags.map(recordedTag) };
}
