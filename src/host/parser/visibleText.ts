// What a reply shows once a model's thinking is taken out (RT-SAFE protocol §6).

/**
 * The text outside <think> blocks. A closing tag without an opening one ends a block that began with the text; an opening
 * tag that is never closed hides the rest. Linear in the text's length, whatever tags it holds.
 *
 * @example visibleText('<think>left or right?</think>Action: wait') // 'Action: wait'
 */
export function visibleText(text: string): string {
  let visible = '';
  let from = 0;
  let isHidden = false;
  for (const { index, 0: tag } of text.matchAll(/<(\/?)think>/gi)) {
    const isClosing = tag.startsWith('</');
    if (isClosing) visible = isHidden ? visible : '';
    else if (!isHidden) visible += text.slice(from, index);
    if (isClosing || !isHidden) from = index + tag.length;
    isHidden = !isClosing;
  }
  return isHidden ? visible : visible + text.slice(from);
}
