"""Opens a dataset with h5py or NumPy, in the way its library does, and holds it against the episodes it was made from.

python3 check_dataset.py minari|d3rlpy|npz|journal DATASET TRUTH_FOLDER
"""
import json
import os
import sys

import numpy as np


class Episode:
    def __init__(self, folder, description):
        self.__dict__.update(description)
        self.arrays = {}
        for column in description["columns"]:
            values = np.fromfile(os.path.join(folder, column["file"]), dtype=np.dtype(column["dtype"]))
            self.arrays[column["name"]] = values.reshape(column["shape"])

    def observations(self):
        return {name.split("/")[1]: array for name, array in self.arrays.items() if name.startswith("observations/")}

    def infos(self):
        return {name.split("/")[1]: array for name, array in self.arrays.items() if name.startswith("infos/")}


def read_truth(folder):
    with open(os.path.join(folder, "truth.json")) as file:
        truth = json.load(file)
    truth["episodes"] = [Episode(folder, description) for description in truth["episodes"]]
    return truth


def equal(found, expected, what):
    assert found.dtype == expected.dtype, f"{what}: dtype {found.dtype}, expected {expected.dtype}"
    assert found.shape == expected.shape, f"{what}: shape {found.shape}, expected {expected.shape}"
    assert np.array_equal(found, expected), f"{what}: other values"


def check_space(space, spec):
    """What gymnasium.spaces.Box is made from: bounds that broadcast to the shape, in the dtype."""
    assert space["type"] == "Box" and space["dtype"] == spec["dtype"] and space["shape"] == spec["shape"]
    low, high = np.array(space["low"], dtype=spec["dtype"]), np.array(space["high"], dtype=spec["dtype"])
    assert low.shape == high.shape == tuple(spec["shape"])
    assert (low < high).all()


def check_minari(path, truth):
    import h5py

    with open(os.path.join(path, "metadata.json")) as file:
        metadata = json.load(file)
    episodes = truth["episodes"]
    assert metadata["total_episodes"] == len(episodes)
    assert metadata["total_steps"] == sum(episode.steps for episode in episodes)
    assert metadata["data_format"] == "hdf5" and metadata["jpeg_encoding"] is False
    assert metadata["minari_version"] == "0.5.3"
    action_space = json.loads(metadata["action_space"])
    assert action_space == {"type": "Discrete", "dtype": "int64", "start": 0, "n": truth["actionCount"]}
    space = json.loads(metadata["observation_space"])
    specs = {spec["name"]: spec for spec in truth["observations"]}
    if len(specs) == 1:
        check_space(space, *specs.values())
    else:
        assert space["type"] == "Dict" and list(space["subspaces"]) == sorted(specs)
        for name, subspace in space["subspaces"].items():
            check_space(subspace, specs[name])
    with h5py.File(os.path.join(path, "main_data.hdf5"), "r") as file:
        assert sorted(file) == sorted(f"episode_{place}" for place in range(len(episodes)))
        for place, episode in enumerate(episodes):
            group = file[f"episode_{place}"]
            attributes = dict(group.attrs)
            assert attributes == {
                "id": place,
                "total_steps": episode.steps,
                "seed": episode.seed,
                "map": episode.map,
                "route": episode.route,
                "outcome": episode.outcome,
            }, attributes
            for name in ["actions", "rewards", "terminations", "truncations"]:
                equal(group[name][:], episode.arrays[name], f"{place} {name}")
            observations = episode.observations()
            if len(observations) == 1:
                equal(group["observations"][()], *observations.values(), f"{place} observations")
            else:
                assert sorted(group["observations"]) == sorted(observations)
                for name, values in observations.items():
                    equal(group["observations"][name][()], values, f"{place} observations {name}")
            infos = episode.infos()
            assert sorted(group["infos"]) == sorted(infos)
            for name, values in infos.items():
                equal(group["infos"][name][()], values, f"{place} infos {name}")


def check_d3rlpy(path, truth):
    import h5py

    with h5py.File(path, "r") as file:
        assert file["version"][()] == b"2.1"
        keys = [key.decode("utf-8") for key in file["columns"][()]]
        assert keys == ["observations", "actions", "rewards", "terminated"]
        episodes = truth["episodes"]
        assert file["num_episodes"][()] == len(episodes) and file["num_episodes"].shape == ()
        for place, episode in enumerate(episodes):
            observations = list(episode.observations().values())
            # As d3rlpy looks for them: one dataset, or one per part.
            if f"observations_{place}" in file:
                found = [file[f"observations_{place}"][()]]
            else:
                found = []
                while f"observations_{place}_{len(found)}" in file:
                    found.append(file[f"observations_{place}_{len(found)}"][()])
            assert len(found) == len(observations)
            for values, expected in zip(found, observations):
                expected = expected[: episode.steps]
                if expected.ndim == 4:
                    expected = expected.transpose(0, 3, 1, 2)
                equal(values, expected, f"{place} observations")
            equal(file[f"actions_{place}"][()], episode.arrays["actions"][:, None], f"{place} actions")
            equal(file[f"rewards_{place}"][()], episode.arrays["rewards"][:, None], f"{place} rewards")
            terminated = file[f"terminated_{place}"][()]
            assert isinstance(terminated, np.bool_) and terminated == episode.arrays["terminations"][-1]
        names = {"columns", "num_episodes", "version"}
        assert len(file) == len(names) + len(episodes) * (3 + max(1, len(truth["observations"])))


def check_npz(path, truth):
    data = np.load(path)
    episodes = truth["episodes"]
    parts = [spec["name"] for spec in truth["observations"]]
    observation_names = {name: "observations" if len(parts) == 1 else f"observations_{name}" for name in parts}
    start, index = data["episode_start"], data["observation_index"]
    steps = sum(episode.steps for episode in episodes)
    assert start.dtype == index.dtype == np.int64
    assert start.shape == (len(episodes) + 1,) and start[0] == 0 and start[-1] == steps
    assert index.shape == (steps,)
    for name in observation_names.values():
        assert len(data[name]) == steps + len(episodes)
    columns = {name: data[name] for name in data.files}
    for place, episode in enumerate(episodes):
        one = slice(start[place], start[place + 1])
        for name in ["actions", "rewards", "terminations", "truncations"]:
            equal(columns[name][one], episode.arrays[name], f"{place} {name}")
        for name, values in episode.observations().items():
            found = columns[observation_names[name]]
            equal(found[index[one]], values[:-1], f"{place} observations {name}")
            equal(found[index[one] + 1], values[1:], f"{place} next observations {name}")
        for name, values in episode.infos().items():
            equal(columns[f"infos_{name}"][index[one]], values[:-1], f"{place} infos {name}")
            equal(columns[f"infos_{name}"][index[one] + 1], values[1:], f"{place} next infos {name}")
        assert data["episode_map"][place] == episode.map and data["episode_outcome"][place] == episode.outcome
        assert data["episode_seed"][place] == episode.seed and data["episode_route"][place] == episode.route


def read_journal(path):
    """As docs/datasets.md has it."""
    with open(path, "rb") as file:
        while preamble := file.read(24):
            header_bytes, _, array_bytes = np.frombuffer(preamble, "<u4,<u4,<u8", 1, 8)[0]
            header = json.loads(file.read(int(header_bytes)))
            data = file.read(int(array_bytes))
            arrays = {}
            for column in header["columns"]:
                count = int(np.prod(column["shape"]))
                values = np.frombuffer(data, column["dtype"], count, column["offset"])
                arrays[column["name"]] = values.reshape(column["shape"])
            yield header, arrays


def check_journal(path, truth):
    episodes = {episode.index: episode for episode in truth["episodes"]}
    found = 0
    for header, arrays in read_journal(path):
        episode = episodes[header["index"]]
        assert header["steps"] == episode.steps and header["outcome"] == episode.outcome
        assert sorted(arrays) == sorted(episode.arrays)
        for name, values in episode.arrays.items():
            equal(arrays[name], values, f"{header['index']} {name}")
        found += 1
    assert found == len(episodes), f"{found} episodes, expected {len(episodes)}"


checks = {"minari": check_minari, "d3rlpy": check_d3rlpy, "npz": check_npz, "journal": check_journal}

if __name__ == "__main__":
    kind, dataset, truth_folder = sys.argv[1:]
    checks[kind](dataset, read_truth(truth_folder))
