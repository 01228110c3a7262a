/** What stands in a field of an element. */
export function fieldValue(element: { readonly renderRoot: HTMLElement | DocumentFragment }, id: string): string {
  const field = element.renderRoot.querySelector<HTMLElement & { readonly value?: string }>(`#${id}`);
  return field?.value ?? '';
}

export function isFilled(text: string | undefined): text is string {
  return text !== undefined && text.trim() !== '';
}
