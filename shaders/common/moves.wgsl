// The seven moves (RT-SAFE protocol §3): how far, and how far they turn. Left is minus.

fn wrapHeading(heading: i32) -> i32 {
  return (heading + 3600) % 3600;
}

fn moveDistanceCm(action: u32) -> i32 {
  var table = array(100, 200, 200, 200, 400, 400, 400);
  return table[action - 1u];
}

fn moveTurn(action: u32) -> i32 {
  var table = array(0, 0, -450, 450, 0, -450, 450);
  return table[action - 1u];
}
