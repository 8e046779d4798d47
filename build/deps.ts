import { howToInstall, install, mayInstall, missingNeeds, unmetNeeds } from './test-needs.ts';

/**
 * `npm run deps`: the programs that tests and the benchmark need in addition to npm's packages. As root on Debian it
 * installs them; elsewhere it prints the missing ones and how to install them. Exit code 1 while something is missing.
 */
function main(): void {
  const missing = missingNeeds();
  if (missing.length > 0 && mayInstall()) install(missing);
  const unmet = unmetNeeds();
  if (unmet.length === 0) return;
  for (const need of unmet) console.error(`Missing for ${need.for}: ${need.package}.`);
  console.error(howToInstall(unmet));
  process.exitCode = 1;
}

main();
