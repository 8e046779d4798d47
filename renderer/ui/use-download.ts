import { useTranslation } from 'react-i18next';
import { download } from '#api/download.ts';
import { isApiError } from '#api/problem.ts';
import { ruleText } from '#api/rule-text.ts';
import { saveFile } from './save-file.ts';
import { showToast } from './toast.tsx';

/** After this time without the complete file, a toast reports that it is being downloaded. */
const SOON_MS = 1_000;
const ERROR_MS_SHOWN = 60_000;

/**
 * Downloads a file of the admin API in the browser; `path` is relative to /api/v1. A toast reports a long duration or
 * an error.
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
