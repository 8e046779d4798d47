const LOOK_MS = 500;

/**
 * Resolves when the process that started this one has ended, if an npm script began it: npm ends its shell at SIGTERM,
 * and a launcher that is killed passes nothing on, so nobody else would end this process. Never resolves elsewhere: an
 * installed service has another supervisor, and `nohup`, `setsid` and `&` are meant to outlive their shell. Nor on
 * Windows, where the id of a parent stays.
 */
export function launcherGone(environment: NodeJS.ProcessEnv, parent = (): number => process.ppid): Promise<void> {
  return new Promise((resolve) => {
    if (environment['npm_lifecycle_event'] === undefined) return;
    const launcher = parent();
    const timer = setInterval(() => {
      if (parent() === launcher) return;
      clearInterval(timer);
      resolve();
    }, LOOK_MS).unref();
  });
}
