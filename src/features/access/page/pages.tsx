import type { EntranceData } from '../rules/entrance.ts';
import { Entrance } from '../web/frame/entrance.tsx';

/** The pages of this feature by their names; features below add theirs and render them all. */
export const pages: Record<string, (data: unknown) => React.ReactNode> = {
  entrance: (data) => <Entrance data={data as EntranceData} />,
};
