// Where strangers come from, as a trusted proxy names them.

/** Networks of one stranger: an address, or what a provider gives a customer; and those of many. */
export const NETWORKS = ["/32", "/24", "/64", "/56", "/48", "many"];

/** The nth address in a network of the stranger of this number. */
export function address(network, stranger, n) {
  const hex = (value) => value.toString(16);
  const other = 1 + (n % 250);
  switch (network) {
    case "/32":
      return `9.${stranger}.9.9`;
    case "/24":
      return `9.${stranger}.9.${other}`;
    case "/64":
      return `2606:4700:${hex(stranger + 1)}:1::${hex(n + 1)}`;
    case "/56":
      return `2606:4700:${hex(stranger + 1)}:1${hex(n % 256).padStart(2, "0")}::1`;
    case "/48":
      return `2606:4700:${hex(stranger + 1)}:${hex((n % 65_000) + 1)}::1`;
    default:
      return n % 2 === 0 ? `5.${other}.${stranger}.9` : `2a00:${hex(n + 1)}:${hex(stranger)}::1`;
  }
}
