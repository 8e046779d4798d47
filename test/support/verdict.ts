/**
 * The results of a benchmark or an attack: a line for each criterion, and exit code 1 at the end if one was not met.
 */
export interface Verdict {
  judge(met: boolean, text: string): void;
  end(): void;
}

export function createVerdict(): Verdict {
  let failed = 0;
  return {
    judge(met, text) {
      if (!met) failed += 1;
      console.log(`  ${met ? 'met    ' : 'NOT met'}  ${text}`);
    },
    end() {
      console.log(failed === 0 ? 'all met' : `${failed} NOT met`);
      if (failed > 0) process.exitCode = 1;
    },
  };
}
