/** What is asked, without the phase and the plan before it, for a place that names the plan anyway. */
export function withoutPlan(subject: string, plan: string | undefined): string {
  const before = ` of ${plan}: `;
  const at = plan === undefined ? -1 : subject.indexOf(before);
  return at < 0 ? subject : subject.slice(at + before.length);
}
