import { expect, test } from 'vitest';
import { debianChangelog } from './debian-changelog.ts';

const CHANGELOG = `# Changelog

## Unreleased

### Added

- **Routes** answer \`405\` with a long sentence that does not fit into one line of eighty columns.

## 1.0.4

The first release.
`;

test('each section is an entry in Debian’s format, the first with the version of the package', () => {
  expect(debianChangelog(CHANGELOG, '1.1.0~dev.1a2b3c', 'Sluice <sluice@example.org>')).toBe(`\
sluice (1.1.0~dev.1a2b3c) stable; urgency=medium

  * Added
  * Routes answer 405 with a long sentence that does not fit into one line of
    eighty columns.

 -- Sluice <sluice@example.org>  Sun, 02 Jan 2000 00:00:00 +0000

sluice (1.0.4) stable; urgency=medium

  * The first release.

 -- Sluice <sluice@example.org>  Sat, 01 Jan 2000 00:00:00 +0000
`);
});
