import { useTranslation } from 'react-i18next';
import { isNodeCode } from '#common/errors/node-codes.ts';

/** The meaning of an error code of a node and its remedy; empty for a code that this version does not know. */
export function NodeErrorHelp({ code }: { code: string }) {
  const { t } = useTranslation();
  if (!isNodeCode(code)) return null;
  return (
    <p className="t2">
      {t(`errors.nodeCodes.${code}.meaning`)} {t(`errors.nodeCodes.${code}.remedy`)}
    </p>
  );
}
