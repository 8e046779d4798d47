const LOOK_MS = 500;

/**
 * In an npm script, resolves when the parent process has ended: on SIGTERM npm ends only its shell, and a killed
 * launcher forwards no signal, so nothing else would end this process. Never resolves outside of npm scripts, where a
 * supervisor ends the service, and `nohup`, `setsid` and `&` are meant to outlive their shell. Never resolves on
 * Windows, where the parent id does not change.
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
