/** Values that stay the same objects. */

/** Return the former value as long as the next one says the same. */
export function stable<Value>(read: () => Value): () => Value {
  let former: { readonly text: string; readonly value: Value } | undefined;
  return () => {
    const value = read();
    const text = JSON.stringify(value);
    if (former?.text !== text) former = { text, value };
    return former.value;
  };
}
