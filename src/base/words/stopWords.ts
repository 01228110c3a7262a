/** Words that say nothing of what a text is about; they are dropped wherever words are read. In the form they have without apostrophes. */
export const stopWords: ReadonlySet<string> = new Set(
  `a about above after again against all almost also although always am an and another any anybody anyone anything anyway
  are aren arent around as at be became because become been before being below between both but by came can cannot cant come
  could couldn couldnt did didn didnt do does doesn doesnt doing don done dont during each either else enough etc even ever every
  everybody everyone everything few for from further gave get gets getting give given gives go goes going gone got gotten had hadn has hasn
  hasnt have haven havent having he hello hence her here hers herself hey hi him himself his how however i id ie if im indeed instead
  into is isn isnt it its itself ive just keep kind know least less let lets like likely little ll look looks lot made make makes making
  many may maybe me might mine more most much must mustn my myself need needed needs neither never no nobody none nor not nothing
  now of often ok okay once one only onto or other others otherwise our ours ourselves own per perhaps please pls plz possible
  quite rather re really s said same saw say says see seem seems seen several shall she should shouldn shouldnt since so some
  somebody somehow someone something sometimes somewhere soon still such sure t take takes than thank thanks that thats the their theirs
  them themselves then there therefore theres these they thing things think this those though thus to together too took towards
  try under unless until upon us use used uses using ve very via want wanted wants was wasn wasnt way we well went were weren what
  whatever when where whereas wherever whether which while who whoever whole whom whose why will with within without won wont
  would wouldn wouldnt yes yet you your youre yours yourself`.split(/\s+/),
);

/** Words that mean something only together with another: `check out`, `roll back`. Alone they do not make a fact. */
export const particles: ReadonlySet<string> = new Set([
  'in',
  'out',
  'up',
  'down',
  'off',
  'on',
  'over',
  'back',
  'through',
]);

/**
 * Words of work itself, in their written form: every plan has tasks, code and tests. Found in a name or a description they
 * tell no place from another; a rule may name them all the same.
 */
export const genericWords: ReadonlySet<string> = new Set(
  `plan plans project projects root task tasks service services system systems module modules component components code app
  apps application applications test tests work works working team teams thing part parts new old good bad fix fixes bug bugs
  issue issues problem problems error errors feature features change changes update updates add adds support supports handle handles
  manage manages management general common main core everything related src lib index file files folder line lines data user users
  version versions help question request requests message messages run runs show shows today yesterday tomorrow week day days
  time first last next time times people person example default current expert experts keeps owns`.split(/\s+/),
);
