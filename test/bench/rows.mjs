// The rows of a run: whether each is sound, how they are printed, and the report that CI counts.

/** What is wrong with the row that a bench's process sent; undefined when the bench ran and gave finite numbers. */
export function problemOf(id, row) {
  if (row === undefined || row === null) return 'gave no row';
  if (row.id !== id) return `gave the row of ${row.id}`;
  // JSON between the processes turns NaN and Infinity into null.
  if (!Number.isFinite(row.value)) return 'gave a value that is not a finite number';
  if ('limit' in row && !Number.isFinite(row.limit)) return 'gave a limit that is not a finite number';
  const texts = ['unit', 'goal', 'note'].filter((name) => typeof row[name] !== 'string');
  return texts.length === 0 ? undefined : `gave no ${texts.join(', no ')}`;
}

/** The lines of the table. The small form shows the goals and judges none of them. */
export function tableOf(results, { isSmall }) {
  const cells = results.map(({ id, row, problem }) =>
    problem === undefined
      ? [isSmall ? 'small' : verdictOf(row), id, `${row.value} ${row.unit}`, row.goal, row.note]
      : [isSmall ? 'FAILED' : 'MISS', id, '', row?.goal ?? '', problem],
  );
  const table = [['', 'bench', 'value', isSmall ? 'goal (not judged)' : 'goal', 'note'], ...cells];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...table.map((line) => line[column].length)));
  return table.map((line) => line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
}

function verdictOf({ ok }) {
  return ok === true ? 'ok' : ok || 'MISS';
}

/** The results in the form of a vitest JSON report, one test for each bench. */
export function reportOf(results) {
  const failed = results.filter(({ problem }) => problem !== undefined);
  return {
    numTotalTests: results.length,
    numPassedTests: results.length - failed.length,
    numFailedTests: failed.length,
    success: results.length > 0 && failed.length === 0,
    testResults: results.map(({ id, file, problem, ms }) => {
      const status = problem === undefined ? 'passed' : 'failed';
      const title = `the bench ${id} runs and gives a finite number`;
      const failureMessages = problem === undefined ? [] : [problem];
      return {
        ...{ name: file, status, message: problem ?? '' },
        assertionResults: [{ ancestorTitles: [], title, fullName: title, status, duration: ms, failureMessages }],
      };
    }),
  };
}
