import { NewBuildBar } from './new-build-bar.tsx';
import { OfflineBar } from './offline-bar.tsx';

/** That there is no connection; that there is a newer version. */
export function Bars() {
  return (
    <>
      <OfflineBar />
      <NewBuildBar />
    </>
  );
}
