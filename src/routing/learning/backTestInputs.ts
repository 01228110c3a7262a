import { createCatalogue, type Catalogue as PreparedPlaces } from '../facts/catalogue.ts';
import type { HistoryIndex } from '../history/historyIndex.ts';
import type { KnownPlaces, Places } from '../places.ts';
import type { BackTestInputs } from './suggestions.ts';

export interface GroundParts {
  /** The earlier decisions; the caller waits until they are read. */
  readonly index: () => Promise<HistoryIndex>;
  readonly places: Places;
}

/** What rules and suggestions are held against, as it is at each moment; places are prepared once until they change. */
export function createBackTestInputs({ index: recent, places }: GroundParts): () => Promise<BackTestInputs> {
  let prepared:
    | { readonly of: KnownPlaces; readonly catalogue: PreparedPlaces; readonly targets: Set<string> }
    | undefined;
  return async () => {
    const [of, index] = await Promise.all([places.catalogue(), recent()]);
    if (prepared?.of !== of) {
      const targets = new Set([...of.byId.keys(), ...of.projects.keys()]);
      prepared = { of, catalogue: createCatalogue(of.places), targets };
    }
    return { index, places: of.places, catalogue: prepared.catalogue, targets: prepared.targets };
  };
}
