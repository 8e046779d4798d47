import { useTranslation } from 'react-i18next';
import { saidIn } from './server-words.ts';
import { Shape } from './shape.tsx';

/** Under a field: ring, what is wrong and what to type, be it the window's own words or the admin API's. */
export function FieldFault({ text }: { text: string }) {
  const { t, i18n } = useTranslation();
  return (
    <>
      <Shape name="error" small />
      <span>{saidIn(t, i18n.language, text).text}</span>
    </>
  );
}
