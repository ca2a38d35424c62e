// The environment at hand, in the memory of one thread. A member of `env` is in truth a word of envI or envU
// (src/kernels/layout.ts, addressByWord).

var<private> envU: array<u32, ENV_WORDS>;
var<private> envI: array<i32, ENV_WORDS>;

fn loadEnvironment() {
  for (var word = 0u; word < ENV_WORDS; word++) {
    let value = states[current * STATE_WORDS + word];
    envU[word] = value;
    envI[word] = bitcast<i32>(value);
  }
}

fn storeEnvironment() {
  var isSigned = SIGNED_WORDS;
  for (var word = 0u; word < ENV_WORDS; word++) {
    let signedHere = (isSigned[word >> 5u] >> (word & 31u)) & 1u;
    states[current * STATE_WORDS + word] = select(envU[word], bitcast<u32>(envI[word]), signedHere == 1u);
  }
}
