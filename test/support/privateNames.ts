/** Names of our own for what the field has a term for: the terms took their places, and they do not come back. */
const privateNames = new RegExp(
  `^(?:${[
    'kept|turns|inTurns|forEachInTurns|hindrance|hindered|taken|attemptTo|unlessDropped|coreDoor',
    'createCoreDoor|lineDoor|editorDoor|wish|answerWish|handOvers|ruleBook|routingGround|createGround',
    'findFree|freeFindings|freeVerdict|freeSteps|planPast|holdStill|countedLetters|restingActors',
    String.raw`listResting|planTrees|treeQueue|askFirst|answerUnfinished|keepStaging|approvalDesk|standing\w*`,
    'messagePost|sendAndTell|tellRefusals|tellOutcomes|workplace|vaultFacet|touchOf|planForest|growForest',
    String.raw`nextTry|plainLabel|linkSoon|rowMemory|planNews|onlyLooks|handRuns?|\w*byHand\w*`,
    String.raw`hand(?:Folder|Commands|Flags|Finish|Start|End|World)|\w*workplace\w*|desk|\w*Desk`,
    String.raw`\w*standing(?:Effects|Questions|Kinds)|decisionEffect|suggestionEffect|unroutableEffect|\w*forest\w*`,
    String.raw`\w*goOn\w*|\w*goesOn\w*|\w*left[oO]vers?|\w*leftBehind|letters?|letterRow|formatLetters|showLetter`,
    String.raw`places?|knownPlaces|catalogue|told\w*|tell\w*|said\w*|\w*saying`,
    String.raw`note(?:d|Origins|Rename|Result|Sent|Move|Routed|Outcome|UnderWay)|town|addTown|\w*sneak\w*|\w*chance`,
    String.raw`looks?|looked\w*|looking|look(?:s?At|For|Again|Now|Soon)\w*|\w+(?<!out)Looks?`,
    String.raw`firstLook\w*|vaultNeed|noteReason|formatPlaces|busyPlans|readLessons|lessons|level(?:Two|Three)\w*`,
    'countedDeadLetters|claudeTalks?|talk(?:Id|Path|Place|sFile)|tidyUp|growingLines|leadsPast',
    'figures(?:Since|OfCommit)|ring(?:Facts|Sources|World)?|layOutRing|drawRing|gatherRingFacts',
    String.raw`fileFigures|tameLinks|disarmTokens|asKept|farewell|spokenFigures|\w*mildMarkdown|hands|createDoor`,
  ].join('|')})$`,
  'i',
);

export function isPrivateName(name: string): boolean {
  return privateNames.test(name);
}

/**
 * What a person reads in lists of commands, settings and events, and is right there:
 * - "by hand" is how people call a phase that they do themselves; the code calls it a manual run,
 * - `session.noted` is about a note, which is a message and not something recorded,
 * - a dead letter is the term of the field; a letter alone is not.
 */
const shownNames = /^(?:\w*byHand\w*|noted)$/i;

/** The private names in the words of a key, a command or a label, each word by itself and each with those behind it. */
export function privateNamesIn(shown: string): string[] {
  const words = shown
    .replace(/dead[-_ ]?letters?/gi, '')
    .split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/)
    .filter((word) => word !== '');
  const names = words.flatMap((word, at) => {
    const later = words.slice(at + 1, at + 3).map((next) => `${next.charAt(0).toUpperCase()}${next.slice(1)}`);
    return [word, ...later.map((_, end) => `${word}${later.slice(0, end + 1).join('')}`)];
  });
  const found = names.filter((name) => isPrivateName(name) && !shownNames.test(name));
  return found.filter((name) => !found.some((other) => other !== name && name.includes(other)));
}
