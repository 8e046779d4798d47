import { useTranslation } from 'react-i18next';
import { download } from '#api/download.ts';
import { isApiError } from '#api/problem.ts';
import { ruleText } from '#api/rule-text.ts';
import { saveFile } from './save-file.ts';
import { showToast } from './toast.tsx';

/** After so long without the whole file, a toast says that it is on its way. */
const SOON_MS = 1_000;
const ERROR_MS_SHOWN = 60_000;

/**
 * Hands a file of the admin API to the browser; `path` is below /api/v1. A toast says so when that takes long or fails.
 */
export function useDownload(): (path: string) => void {
  const { t, i18n } = useTranslation();
  return (path) => {
    const late = setTimeout(() => showToast({ text: t('download.begun') }), SOON_MS);
    download(path)
      .then(({ name, content }) => saveFile(name, content))
      .catch((error: unknown) => {
        const reason = isApiError(error) ? ruleText(error.sentence, i18n).text : String(error);
        showToast({ text: t('download.failed', { reason }), msShown: ERROR_MS_SHOWN });
      })
      .finally(() => clearTimeout(late));
  };
}
